/** A piece of what a user said. `url` may be a data URL. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string }
