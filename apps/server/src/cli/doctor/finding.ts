/** One line of the report. `✗` means that the server cannot work. */
export type Finding = { readonly mark: '✓' | '!' | '✗'; readonly text: string }

export function ok(text: string): Finding {
  return { mark: '✓', text }
}

export function note(text: string): Finding {
  return { mark: '!', text }
}

export function problem(text: string): Finding {
  return { mark: '✗', text }
}

/** The message of the innermost cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  if (error.name === 'TimeoutError') return 'it took too long'
  // The error of several failed addresses has a code and no message.
  return error.message.replace(/\.$/, '') || ('code' in error ? String(error.code) : error.name)
}
