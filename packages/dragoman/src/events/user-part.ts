/**
 * A part of a user's message. `url` is the path of a stored file, an address of the web, or, in detached runs and logs
 * of earlier versions, a data URL.
 *
 * @example
 * const parts: UserPart[] = [{ type: 'text', text: 'Roll a die.' }]
 */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string }
