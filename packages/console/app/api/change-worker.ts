import { readChanges, type News } from './read-changes.ts'

// Shared by all tabs of the console: a browser has six connections to a server, and this takes one of them.

const tabs = new Set<MessagePort>()
let reading: AbortController | undefined

function start(): void {
  reading?.abort()
  const current = new AbortController()
  reading = current
  const tell = (news: News): void => {
    for (const tab of tabs) tab.postMessage(news)
  }
  void readChanges(tell, current.signal).finally(() => {
    if (reading === current) reading = undefined
  })
}

addEventListener('connect', (event) => {
  const [tab] = (event as MessageEvent).ports
  if (!tab) return
  tabs.add(tab)
  tab.addEventListener('message', ({ data }: MessageEvent<'restart' | 'leave' | 'return'>) => {
    if (data === 'leave') tabs.delete(tab)
    else tabs.add(tab)
    if (data === 'return') tab.postMessage({ type: 'changed' } satisfies News)
    if (data === 'restart') start()
  })
  tab.start()
  if (!reading) start()
})
