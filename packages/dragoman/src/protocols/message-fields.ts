import { isJsonObject, type Json } from '../events/index.ts'

/** Whether a message of a chat's body has a field. A body has `messages`, or a single `message`. */
export function hasMessageField(body: { readonly [field: string]: Json }, field: string): boolean {
  const { message = null, messages } = body
  const all = Array.isArray(messages) ? (messages as readonly Json[]) : [message]
  return all.some((each) => isJsonObject(each) && field in each)
}
