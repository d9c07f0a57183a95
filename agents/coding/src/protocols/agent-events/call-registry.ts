import { canonicalJson, type Json } from 'dragoman/events'

export type Call = {
  readonly id: string
  readonly tool: string
  input: Json
  outcome?: { readonly ok: boolean; readonly text: string }
}

/** The calls that a history tells of. What it costs to find one does not grow with how many there are. */
export interface CallRegistry {
  /** Registers a call with a unique id in characters that all providers accept. Its input may come with its result. */
  open(call: { id: string | null | undefined; tool: string; input: Json | undefined }): Call
  /**
   * The oldest that has no outcome: of this id; without one, of this tool; without either, of any. A result that tells
   * its input, and no id, belongs to a call of this input alone, or to one of which none was told.
   */
  waiting(of: { id: string | undefined; tool: string | undefined; input: Json | undefined }): Call | undefined
}

const MAX_ID_LENGTH = 64

export function callRegistry(): CallRegistry {
  const queues = new Map<string, Queue>()
  const names = uniqueNames()
  return {
    open({ id, tool, input }) {
      const call: Call = { id: names(id || 'past'), tool, input: input ?? {} }
      for (const key of [`id ${id || call.id}`, `tool ${tool}`, inputKey(tool, input), 'any']) {
        const queue = queues.get(key) ?? { calls: [], next: 0 }
        queues.set(key, queue)
        queue.calls.push(call)
      }
      return call
    },
    waiting({ id, tool, input }) {
      if (id !== undefined) return first(queues.get(`id ${id}`))
      if (tool === undefined) return input === undefined ? first(queues.get('any')) : undefined
      if (input === undefined) return first(queues.get(`tool ${tool}`))
      const call = first(queues.get(inputKey(tool, input))) ?? first(queues.get(inputKey(tool, undefined)))
      if (call) call.input = input
      return call
    },
  }
}

function inputKey(tool: string, input: Json | undefined): string {
  return `input ${JSON.stringify(tool)} ${input === undefined ? '' : canonicalJson(input)}`
}

type Queue = { readonly calls: Call[]; next: number }

function first(queue: Queue | undefined): Call | undefined {
  if (!queue) return undefined
  while (queue.calls[queue.next]?.outcome) queue.next += 1
  return queue.calls[queue.next]
}

/** Gives each name once, and one like it to those who come later. */
function uniqueNames(): (requested: string) => string {
  const used = new Set<string>()
  const times = new Map<string, number>()
  return (requested) => {
    const base = requested.slice(0, MAX_ID_LENGTH).replaceAll(/[^\w-]/g, '_')
    let count = times.get(base) ?? 1
    let name = base
    for (; used.has(name); name = `${base}_${count}`) count += 1
    times.set(base, count)
    used.add(name)
    return name
  }
}
