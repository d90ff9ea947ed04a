import type { Page } from '@playwright/test'

/** Collects the requests of one kind of question, sent to a server or to a worker. */
export async function requestsOf<T>(page: Page, question: string): Promise<T[]> {
  const asked: T[] = []
  page.on('request', (request) => request.url().endsWith(`/${question}`) && asked.push(request.postDataJSON()))
  await page.exposeFunction('tellTest', (request: string) => void asked.push(JSON.parse(request)))
  await page.addInitScript((question) => {
    const Plain = Worker
    const { tellTest } = window as never as { tellTest: (request: string) => void }
    window.Worker = class extends Plain {
      override postMessage(message: { type?: string; question?: string; request?: string }, ...more: unknown[]) {
        if (message.type === 'ask' && message.question === question) tellTest(message.request!)
        super.postMessage(message, ...(more as []))
      }
    }
  }, question)
  return asked
}
