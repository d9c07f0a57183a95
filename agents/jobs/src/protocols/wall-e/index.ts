import { isJsonObject, textOf } from 'dragoman/events'
import { INTERRUPTION, type Protocol } from 'dragoman/protocols'
import { eve } from '../eve/index.ts'
import { encoder } from './encode.ts'

/**
 * The frames that the Wall-E extension reads, which are not those that Eve documents. It names no protocol, but no
 * other client sends its header.
 */
export const wallE: typeof eve & Pick<Required<Protocol>, 'readsPlainTexts'> = {
  ...eve,
  name: 'wall-e',
  readsPlainTexts: (headers: Headers) => headers.has('x-eve-token') && !headers.has('authorization'),
  // Its parser reports every frame without an id as an error.
  heartbeat: ': ping\n\n',
  // An older way to ask: `{ prompt }`, answered as JSON with `response`.
  parse(json) {
    if (!isJsonObject(json) || typeof json['prompt'] !== 'string') return eve.parse(json)
    return { ...eve.parse({ ...json, message: json['prompt'] }), stream: false }
  },
  whole: (run, view, message) => ({
    ...(eve.whole(run, view, message) as object),
    response: textOf(message),
  }),
  encoder,
  interruption: () => JSON.stringify({ type: 'error', code: 'agent_error', message: INTERRUPTION }),
  // The end of a text repeats all of it.
  remembersAll: () => true,
}
