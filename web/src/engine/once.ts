/** Makes something once, and again only if that failed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make().catch((error) => ((made = null), Promise.reject(error))))
}
