/**
 * What is left to say of an answer of which a part has been said. Engines trim and join texts, so white space may differ;
 * what was said in other words than ours tells nothing about how far it went, and the whole answer is given.
 */
export function remainder(answer: string, said: string): string {
  if (answer.startsWith(said)) return answer.slice(said.length)

  let at = 0
  for (const character of said.replaceAll(/\s+/g, '')) {
    while (at < answer.length && /\s/.test(answer.charAt(at))) at += 1
    if (!answer.startsWith(character, at)) return answer
    at += character.length
  }
  const rest = answer.slice(at)
  return /\s$/.test(said) ? rest.trimStart() : rest
}
