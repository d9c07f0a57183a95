import mermaidUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?gzip'

import { SANDBOX_PATH, SANDBOX_RIGHTS } from './sandbox.tsx'

/** A diagram as a picture, or why there is none. */
export type Diagram =
  | { readonly url: string; readonly width: number; readonly height: number }
  | { readonly reason: string }

type Job = { readonly source: string; readonly theme: 'default' | 'dark' }
type Reply =
  | { readonly svg: string; readonly width: number; readonly height: number }
  | { readonly reason: string }

/** Longer, and the diagram is given up together with the frame that draws it. */
const MAX_MS = 15_000

let drawing: Promise<unknown> = Promise.resolve()
let frame: Promise<HTMLIFrameElement> | undefined

/**
 * Draws a diagram of Mermaid, one at a time. Its code runs in a sandboxed frame, and the page shows a picture: nothing
 * in the source can run in the page.
 */
export function drawDiagram(job: Job, signal: AbortSignal): Promise<Diagram | undefined> {
  const drawn = drawing.then(async () => (signal.aborted ? undefined : pictureOf(await replyTo(job))))
  drawing = drawn.catch(() => undefined)
  return drawn
}

function pictureOf(reply: Reply): Diagram {
  if ('reason' in reply) return reply
  const { svg, width, height } = reply
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height }
}

async function replyTo(job: Job): Promise<Reply> {
  frame ??= openFrame()
  const { contentWindow } = await frame
  const reply = messageFrom<Reply>(contentWindow)
  contentWindow?.postMessage(job, '*')
  return (await reply) ?? closeFrame()
}

function closeFrame(): Reply {
  void frame?.then((element) => element.remove())
  frame = undefined
  return { reason: `It takes longer than ${MAX_MS / 1000} s.` }
}

async function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe')
  element.src = SANDBOX_PATH
  element.setAttribute('sandbox', SANDBOX_RIGHTS)
  element.setAttribute('aria-hidden', 'true')
  element.tabIndex = -1
  element.className = 'diagram-frame'
  const opened = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }))
  document.body.append(element)
  const [code] = await Promise.all([loadMermaid(), opened])
  const ready = messageFrom<unknown>(element.contentWindow)
  const scripts = [code, DRAW].map(
    (script) => `<script>${script.replaceAll('</script', '<\\/script')}</script>`,
  )
  element.contentWindow?.postMessage(`<!doctype html><body>${scripts.join('')}</body>`, '*')
  await ready
  return element
}

async function loadMermaid(): Promise<string> {
  const { body } = await fetch(mermaidUrl)
  return new Response(body?.pipeThrough(new DecompressionStream('gzip'))).text()
}

/** The next message of a frame. Undefined if it says nothing. */
function messageFrom<Data>(source: Window | null): Promise<Data | undefined> {
  const { promise, resolve } = Promise.withResolvers<Data | undefined>()
  const ended = new AbortController()
  const end = (data: Data | undefined): void => {
    clearTimeout(timer)
    ended.abort()
    resolve(data)
  }
  const timer = setTimeout(() => end(undefined), MAX_MS)
  addEventListener('message', (event) => event.source === source && end(event.data as Data), {
    signal: ended.signal,
  })
  return promise
}

/** What runs in the frame. */
const DRAW = `
addEventListener('message', async ({ data: { source, theme } }) => {
  const options = { startOnLoad: false, securityLevel: 'strict', htmlLabels: false, flowchart: { htmlLabels: false } }
  try {
    mermaid.initialize({ ...options, theme, suppressErrorRendering: true })
    const { svg } = await mermaid.render('diagram', source)
    document.body.innerHTML = svg
    const drawing = document.body.firstElementChild
    const { width, height } = drawing.viewBox.baseVal
    drawing.removeAttribute('style')
    drawing.setAttribute('width', width)
    drawing.setAttribute('height', height)
    parent.postMessage({ svg: new XMLSerializer().serializeToString(drawing), width, height }, '*')
  } catch (error) {
    parent.postMessage({ reason: String(error?.message ?? error) }, '*')
  }
  document.body.innerHTML = ''
})
parent.postMessage('ready', '*')
`
