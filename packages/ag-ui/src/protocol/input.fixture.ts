import type { Json } from 'dragoman/events'

/** A request body with thread and run ids. */
export function input(messages: readonly Json[], more: { readonly [field: string]: Json } = {}): Json {
  return { threadId: 't1', runId: 'r1', messages, ...more }
}

export function user(content: Json, id: string = 'u1'): Json {
  return { id, role: 'user', content }
}

/** A call of the client's tool, as its history has it. */
export const call = { id: 'run_1.2', type: 'function', function: { name: 'look', arguments: '{}' } }
