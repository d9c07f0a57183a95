import { isStructural, type LogEntry } from '../../packages/dragoman/src/events/index.ts'
import { agUiProtocol, useAi } from '@dragoman/ag-ui/protocol'
import {
  dataStream,
  native,
  uiMessageStream,
  type Encoder,
  type Protocol,
} from '../../packages/dragoman/src/protocols/index.ts'
import {
  validateDataStream,
  validateNative,
  validateUiMessageStream,
  type FrameValidator,
} from '../../packages/dragoman/src/protocols/frame-validators.fixture.ts'
import {
  validateAgUi1,
  validateAgUi0,
  validateUseAi,
} from '../../packages/ag-ui/src/protocol/ag-ui-validators.fixture.ts'
import { historyBefore as said, run } from '../../packages/dragoman/src/protocols/stories.fixture.ts'
import { startCursor, type Cursor } from '../../packages/dragoman/src/server/fan-out/cursor.ts'
import { encodeEntries } from '../../packages/dragoman/src/server/fan-out/encode-entries.ts'

/** A wire format as its laws are tested. */
export type Format = {
  readonly protocol: Protocol
  readonly judge: FrameValidator
  readonly view?: View
  /** It has no word for a run's start. */
  readonly startsSilently?: true
}
const ui = { protocol: uiMessageStream, judge: validateUiMessageStream }

/** The wire formats of the core. */
export const coreFormats: Readonly<Record<string, Format>> = {
  'ui-message-stream': ui,
  'ui-message-stream of v5': { ...ui, view: { profile: 'v5' } },
  'ui-message-stream of v7': { ...ui, view: { profile: 'v7' } },
  'data-stream': { protocol: dataStream, judge: validateDataStream },
  native: { protocol: native, judge: validateNative },
  'ag-ui': { protocol: agUiProtocol, judge: validateAgUi1, view: { version: '1.0' } },
  'ag-ui before 1.0': { protocol: agUiProtocol, judge: validateAgUi0 },
  'use-ai': { protocol: useAi, judge: validateUseAi },
  'use-ai, where another tab holds the calls': {
    protocol: useAi,
    judge: validateUseAi,
    view: { watches: true },
  },
}

type View = {
  readonly showThinking?: boolean
  readonly profile?: string
  readonly responseMode?: 'incremental' | 'full'
  readonly legacyEvents?: boolean
  readonly version?: string
  readonly watches?: true
}

/**
 * The encoder of a reader that starts after `after` entries: primed with the structure before them, or with all of
 * them if the protocol needs that.
 */
export function primed(
  protocol: Protocol,
  before: readonly LogEntry[],
  wanted: View | undefined = {},
): Encoder {
  const view = protocol.view(wanted, {})
  const encoder = protocol.encoder({ run, view, ...(protocol.needsThread && { before: said }) })
  for (const entry of before) if (protocol.remembersAll?.(view) || isStructural(entry.event)) encoder(entry)
  return encoder
}

/** The frames of each entry. */
export function framesOf(protocol: Protocol, log: readonly LogEntry[], view?: View): (readonly string[])[] {
  const encoder = primed(protocol, [], view)
  return log.map((entry) => encoder(entry))
}

/** The bytes that the transport sends of a log whose entries come one by one, all or what comes after a cursor. */
export function bytesOf(
  protocol: Protocol,
  log: readonly LogEntry[],
  { after = startCursor, view }: { after?: Cursor | undefined; view?: View | undefined } = {},
): Buffer {
  const encoder = primed(protocol, log.slice(0, after.seq), view)
  const { bytes } = encodeEntries(log.slice(after.seq), {
    encoder: (entry) => encoder(entry),
    framing: protocol.framing,
    eventName: protocol.eventName,
    numbered: protocol.framing === 'events',
    skip: after.frames,
  })
  return Buffer.from(bytes)
}
