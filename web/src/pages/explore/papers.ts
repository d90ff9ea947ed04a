// The generated page of publications, as a part of another page.

/** The content of the page without its title. Links to files of the repository, which the app does not have, become text. */
export function readPapers(html: string): Node[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  body.querySelector('h1')?.remove()
  for (const link of body.querySelectorAll('a:not([href^="#"])')) link.replaceWith(...link.childNodes)
  for (const heading of body.querySelectorAll<HTMLElement>('[id]')) heading.tabIndex = -1
  return [...body.childNodes]
}
