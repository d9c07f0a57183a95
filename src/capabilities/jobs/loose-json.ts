import { parseJson, type Json } from '../../events/index.ts'

/** Reads JSON as pages hold it: in comments, escaped as HTML, with line breaks in its strings or a comma too many. */
export function parseLooseJson(text: string): Json | undefined {
  const bare = unwrapped(text)
  const unescaped = bare.includes('&quot;') ? fromHtml(bare) : bare
  return parseJson(bare) ?? parseJson(repaired(bare)) ?? (unescaped === bare ? undefined : parseJson(repaired(unescaped)))
}

/** Without what some sites put round a script's text. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^(?:\uFEFF|<!--|\/\/|\/\*|<!\[CDATA\[|\*\/|\s)+/, '')
    .replace(/(?:-->|\/\/|\/\*|\]\]>|\*\/|;|\s)+$/, '')
}

function fromHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Escapes what may not stand in a string as it is, and drops a comma that nothing follows. */
function repaired(text: string): string {
  const pieces = text.match(/"(?:[^"\\]|\\[\s\S])*"|[^"]+|"/g) ?? []
  return pieces
    .map((piece, at) => {
      if (piece.startsWith('"')) return piece.replace(/[\u0000-\u001F]/g, escape).replace(/\\(?!["\\/bfnrtu])/g, '\\\\')
      const between = piece.replace(/,(\s*[}\]])/g, '$1')
      return at === pieces.length - 1 ? between.replace(/,\s*$/, '') : between
    })
    .join('')
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
