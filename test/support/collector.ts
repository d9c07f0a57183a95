import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Span = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links?: readonly { readonly spanId: string }[]
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
  /** In ms. */
  readonly start: number
  readonly end: number
}

type SpanJson = Omit<Span, 'attributes' | 'start' | 'end'> & {
  attributes: { key: string; value: { arrayValue?: { values: object[] } } }[]
  startTimeUnixNano: string
  endTimeUnixNano: string
}

/** Takes what is exported by OTLP over HTTP. `answers`: what it says to it, or nothing for ever. */
export async function startCollector(answers: (path: string) => number | 'nothing' = () => 200) {
  const requests: { path: string; authorization: string | undefined; key: unknown; text: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      const { authorization } = request.headers
      requests.push({ path, authorization, key: request.headers['x-key'], text })
      const status = answers(path)
      if (status !== 'nothing') response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    /** What was sent to a path, in its order. */
    spans: (path = '/v1/traces'): Span[] =>
      requests.filter((each) => each.path === path).flatMap(({ text }) => spansIn(JSON.parse(text))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansIn(body: { resourceSpans: { scopeSpans: { spans: SpanJson[] }[] }[] }): Span[] {
  return body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf)))
}

function spanOf({ attributes, startTimeUnixNano, endTimeUnixNano, ...span }: SpanJson): Span {
  return {
    ...span,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)])),
    start: Number(startTimeUnixNano) / 1e6,
    end: Number(endTimeUnixNano) / 1e6,
  }
}

function valueOf(value: { arrayValue?: { values: object[] } }): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(valueOf)
  return Object.values(value)[0]
}
