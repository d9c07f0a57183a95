/**
 * What is left to say of an answer of which a part has been said. Engines trim and join texts, so white space does not
 * count; what was said in other words than ours tells nothing about how far it went, and the whole answer is given.
 */
export function remainder(answer: string, said: string): string {
  let at = 0
  for (const character of said.replaceAll(/\s+/g, '')) {
    while (at < answer.length && /\s/.test(answer.charAt(at))) at += 1
    if (!answer.startsWith(character, at)) return answer
    at += character.length
  }
  return answer.slice(at)
}
