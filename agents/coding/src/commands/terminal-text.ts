/** What a program says to a terminal, as text. */
export interface TerminalText {
  /** What is said by now: `lines` that are whole and change no more, `live` as it comes. */
  add(bytes: Uint8Array): TextChunk
  /** The rest, once nothing more comes. */
  end(): TextChunk
}

type TextChunk = { readonly lines: string; readonly live: string }

/** Colours, movements of the cursor, titles of windows. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g
/** All control characters but tab, new line, carriage return and escape. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const ANY_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** A sequence that is longer has no end, and a line that is longer is given away in parts. */
const MAX_BUFFER_LENGTH = 8192

/**
 * Decodes chunks of UTF-8 and removes terminal sequences. Of an overwritten line, as of a progress bar, the last state
 * remains.
 */
export function terminalText(): TerminalText {
  const decoder = new TextDecoder()
  let sequence = ''
  let line = ''

  const take = (text: string, isEnd: boolean): TextChunk => {
    const plain = stripControls(sequence + text)
    const start = isEnd ? -1 : plain.indexOf('\u001b')
    const isPartial = start >= 0 && plain.length - start < MAX_BUFFER_LENGTH
    sequence = isPartial ? plain.slice(start) : ''
    const live = (isPartial ? plain.slice(0, start) : plain).replaceAll('\u001b', '')
    const all = line + live
    const whole = isEnd ? all.length : all.lastIndexOf('\n') + 1
    const lines = foldLines(all.slice(0, whole))
    line = lastState(all.slice(whole))
    if (line.length <= MAX_BUFFER_LENGTH) return { lines, live: splitOverwrites(live) }
    const long = line
    line = ''
    return { lines: lines + long, live: splitOverwrites(live) }
  }
  return {
    add: (bytes) => take(decoder.decode(bytes, { stream: true }), false),
    end: () => take(decoder.decode(), true),
  }
}

function stripControls(text: string): string {
  return ANY_CONTROL.test(text) ? text.replace(SEQUENCE, '').replace(CONTROL, '') : text
}

function foldLines(text: string): string {
  return text.includes('\r') ? text.split('\n').map(finalState).join('\n') : text
}

/** What stands in a line once it is over. */
function finalState(line: string): string {
  return lastState(line).replaceAll('\r', '')
}

/** What stands in a line that goes on: nothing is written over before something is written. */
function lastState(line: string): string {
  let end = line.length
  while (line[end - 1] === '\r') end -= 1
  return line.slice(line.lastIndexOf('\r', end - 1) + 1)
}

/** Puts each state on its own line, because sent output cannot be replaced. */
function splitOverwrites(text: string): string {
  return text.includes('\r') ? text.replace(/\r+\n?/g, '\n') : text
}
