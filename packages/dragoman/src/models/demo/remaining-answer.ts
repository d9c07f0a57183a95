/**
 * The part of an answer that is still to say. Engines trim and join texts, so white space may differ. If `textSoFar` is
 * not the beginning of the answer, it is another model's, and the whole answer is still to say.
 */
export function remainingAnswer(answer: string, textSoFar: string): string {
  if (answer.startsWith(textSoFar)) return answer.slice(textSoFar.length)

  let at = 0
  for (const character of textSoFar.replaceAll(/\s+/g, '')) {
    while (at < answer.length && /\s/.test(answer.charAt(at))) at += 1
    if (!answer.startsWith(character, at)) return answer
    at += character.length
  }
  const rest = answer.slice(at)
  return /\s$/.test(textSoFar) ? rest.trimStart() : rest
}
