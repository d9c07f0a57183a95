/** Which posting a wish is about: one that it names by number, or the one that the user is looking at. */
export function namedPosting(words: string, context: readonly string[]): number | undefined {
  return (
    numberIn(
      words,
      /(?:\b(?:job|posting|position|role)s?\s*(?:id\s*)?(?:no\.?|number)?\s*#?|职位|岗位|工作|#)\s*(\d{1,9})(?!\d)/i,
    ) ?? numberIn(context.join('\n'), /^\[Context: Discussing job ID #(\d{1,9})\]$/m)
  )
}

/** Which resume, in the same way. Without one the tool takes the default resume. */
export function namedResume(words: string, context: readonly string[]): number | undefined {
  return (
    numberIn(words, /(?:\b(?:resume|cv)s?\s*(?:id\s*)?#?|简历)\s*#?(\d{1,9})(?!\d)/i) ??
    numberIn(context.join('\n'), /^\[Context: Using resume ID #(\d{1,9})\]$/m)
  )
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const number = pattern.exec(text)?.[1]
  return number === undefined ? undefined : Number(number) || undefined
}
