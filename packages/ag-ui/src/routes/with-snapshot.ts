import { isServiceError } from 'dragoman/errors'
import type { Json, Run } from 'dragoman/events'
import { agUiProtocol, isInterrupt, snapshotBefore } from '../protocol/index.ts'
import { feedFromGenerator, cursorSeq, withoutMessages, type Feed, type RunHistory } from 'dragoman/fan-out'
import type { PageReader } from 'dragoman/http'
import { historyPreamble, type Conversations } from 'dragoman/surfaces'

type Ports = Pick<Conversations, 'runs' | 'messagePages' | 'projector'>

/** The run of a body, with the conversation before it, and its reader's view of it. */
type Reading = { readonly run: Run; readonly history: RunHistory | undefined; readonly view: Json }

/**
 * Sends the messages of the conversation before an interrupt that ends a body. They are read where they are needed: an
 * encoder would have to remember all of the answer. The frame has no cursor, and a reader that resumes before the
 * interrupt gets it again.
 */
export function withSnapshot(
  feed: Feed,
  pages: PageReader,
  { run, view }: { readonly run: Run; readonly view: Json },
  ports: Ports,
): Feed {
  const { history } = historyPreamble(run, { protocol: agUiProtocol }, ports)
  const reading = { run: withoutMessages(run), history, view }
  let next: Uint8Array | undefined
  let ending: Feed | undefined
  const take = (): ReturnType<Feed['take']> => {
    if (ending) return ending.take()
    const chunk = next ?? feed.take()
    next = undefined
    if (typeof chunk === 'string') return chunk
    const start = lastFrameStart(chunk)
    const { cursor, data } = readFrame(chunk.subarray(start))
    if (!isInterrupt(data)) return chunk
    const following = feed.take()
    if (typeof following !== 'string') next = following
    if (following !== 'end') return chunk
    const snapshot = (): Promise<Uint8Array> =>
      makeSnapshot({ ...reading, seq: cursorSeq(cursor), data }, pages, ports)
    ending = feedFromGenerator(piecesOf(snapshot, chunk.subarray(start)))
    return start > 0 ? chunk.subarray(0, start) : ending.take()
  }
  return {
    take,
    whenMore: (tell) => (ending ?? feed).whenMore(tell),
    close() {
      ending?.close()
      feed.close()
    },
  }
}

async function* piecesOf(
  snapshot: () => Promise<Uint8Array>,
  end: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  const bytes = await snapshot()
  if (bytes.length > 0) yield bytes
  yield end
}

/** Nothing if it is too large, or if there is no room for it: the client has read the messages already. */
async function makeSnapshot(
  { run, history, view, seq, data }: Reading & { readonly seq: number; readonly data: string },
  pages: PageReader,
  { runs }: Pick<Ports, 'runs'>,
): Promise<Uint8Array> {
  try {
    const answer = await runs.snapshot({ ...run, lastSeq: seq }, seq)
    return await pages.make(((await history?.bytes()) ?? 0) + answer.bytes, async () => {
      const before = await history?.read()
      if (!before) return new Uint8Array()
      const frame = snapshotBefore(data, { run, view, before, answer: await answer.read() })
      return Buffer.from(frame === undefined ? '' : `data: ${frame}\n\n`)
    })
  } catch (error) {
    if (isServiceError(error)) return new Uint8Array()
    throw error
  }
}

/** The index of the last frame of a body's bytes, which end with a whole frame. */
function lastFrameStart(bytes: Uint8Array): number {
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 1).lastIndexOf('\n\n')
  return before < 0 ? 0 : before + 2
}

function readFrame(bytes: Uint8Array): { readonly cursor: string; readonly data: string } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  const [, cursor = '', data = ''] = /^id: (\S+)\ndata: (.*)\n\n$/.exec(text) ?? []
  return { cursor, data }
}
