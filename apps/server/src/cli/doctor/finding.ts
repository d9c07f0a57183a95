/** What was looked at, and how it is: well, worth knowing, or in the way. */
export type Finding = { readonly mark: '✓' | '!' | '✗'; readonly words: string }

export function well(words: string): Finding {
  return { mark: '✓', words }
}

export function notable(words: string): Finding {
  return { mark: '!', words }
}

export function wrong(words: string): Finding {
  return { mark: '✗', words }
}

/** Why something failed: the innermost words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  if (error.name === 'TimeoutError') return 'it took too long'
  // Several addresses that were tried in vain have no words in common.
  return error.message.replace(/\.$/, '') || ('code' in error ? String(error.code) : error.name)
}
