import { callArguments, text, type JsonObject, type LooseObject } from './json-fields.ts'

/** The calls of tools, by the field that holds their input. */
const INPUT_FIELDS: Readonly<Record<string, 'arguments' | 'input'>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
}
/** What goes on with the input of a call, and what ends it. */
const DELTAS = new Set(['response.function_call_arguments.delta', 'response.custom_tool_call_input.delta'])
const ENDS = new Set(['response.function_call_arguments.done', 'response.custom_tool_call_input.done'])

type OpenCall = { readonly item: JsonObject; readonly place: number; input: string; isWhole: boolean }

/** The calls of one answer that have begun and have not ended, by their index. */
export function createResponseCalls() {
  const open = new Map<number, OpenCall>()
  const places = new Map<string, number>()
  return {
    begin(index: number, item: JsonObject): void {
      const type = text(item['type']) ?? ''
      const field = INPUT_FIELDS[type]
      if (field === undefined) return
      const place = places.get(type) ?? 0
      places.set(type, place + 1)
      open.set(index, { item, place, input: callArguments(item[field]) ?? '', isWhole: false })
    },
    take(index: number, event: JsonObject): void {
      const call = open.get(index)
      const type = text(event['type']) ?? ''
      if (!call) return
      if (DELTAS.has(type)) call.input += callArguments(event['delta']) ?? ''
      if (!ENDS.has(type)) return
      call.input = callArguments(event['arguments'] ?? event['input']) ?? call.input
      call.isWhole = true
    },
    /** The call as its package takes it. If its end holds no input, it is what arrived before. */
    end(index: number, item: LooseObject): LooseObject {
      const before = open.get(index)?.input ?? ''
      open.delete(index)
      return repairCall(item, before)
    },
    /** The calls that have no end of their own, as the whole output or their input gives them. */
    unfinished(output: readonly JsonObject[], isComplete: boolean): (readonly [number, JsonObject])[] {
      return [...open].flatMap(([index, { item, place, input, isWhole }]) => {
        const own = findCall(output, item, place)
        const isThere = own ? own['status'] !== 'incomplete' : isWhole || isComplete
        const call = own ?? { ...item, ...inputField(item, input), status: 'completed' }
        // Its beginning had this id.
        const id = item['call_id'] ?? item['id'] ?? call['id'] ?? null
        return isThere ? [[index, { ...call, call_id: id }]] : []
      })
    },
  }
}

/** Whether an event goes on with the input of a call. */
export function isCallDelta(type: string): boolean {
  return DELTAS.has(type)
}

/** Whether an event ends the input of a call. */
export function isCallEnd(type: string): boolean {
  return ENDS.has(type)
}

/** A call needs its input, its id and its state. Other items stay as they are. */
export function repairCall(item: LooseObject, input = ''): LooseObject {
  const field = INPUT_FIELDS[text(item['type']) ?? '']
  if (field === undefined) return item
  const own = callArguments(item[field]) ?? ''
  return {
    ...item,
    status: text(item['status']) ?? 'completed',
    call_id: text(item['call_id']) ?? item['id'],
    [field]: own === '' ? input : own,
  }
}

/** A call as it would have begun: its input comes at its end. */
export function withoutInput(item: JsonObject): JsonObject {
  return { ...item, ...inputField(item, '') }
}

function inputField(item: JsonObject, input: string): { readonly [field: string]: string } {
  const field = INPUT_FIELDS[text(item['type']) ?? '']
  return field === undefined ? {} : { [field]: input }
}

/** Gateways may change the ids of items, so the last to count is the place among the calls. */
function findCall(output: readonly JsonObject[], item: JsonObject, place: number): JsonObject | undefined {
  const calls = output.filter(({ type }) => type === item['type'])
  const isSame = (name: string, each: JsonObject): boolean =>
    item[name] !== undefined && each[name] === item[name]
  const byId = calls.find((each) => isSame('call_id', each)) ?? calls.find((each) => isSame('id', each))
  return byId ?? calls[place]
}
