/** What a model can do with a file. */
export type FileKind = 'image' | 'pdf' | 'text' | 'word' | 'media' | 'other'

const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const UNKNOWN = 'application/octet-stream'

/** Browsers know no type of most of these, or a wrong one: they take TypeScript for a film. */
const TYPES: readonly (readonly [type: string, endings: string])[] = [
  ['text/markdown', 'md markdown mdx'],
  ['text/csv', 'csv'],
  ['text/html', 'html htm'],
  ['application/json', 'json jsonl ndjson ipynb'],
  ['application/pdf', 'pdf'],
  [WORD_TYPE, 'docx'],
  [
    'text/plain',
    'txt text log tsv rst tex org ts mts cts tsx js mjs cjs jsx py rb go rs java kt kts swift c h cc cpp cxx hpp ' +
      'cs php pl lua r jl scala clj ex exs erl hs ml dart zig nim sh bash zsh fish ps1 bat cmd sql graphql proto ' +
      'css scss less vue svelte astro yaml yml toml ini cfg conf env properties gradle cmake make mk dockerfile ' +
      'gitignore diff patch srt vtt',
  ],
]
const BY_ENDING: ReadonlyMap<string, string> = new Map(
  TYPES.flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type] as const)),
)
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** So much of a file shows whether it is a text. */
const START_BYTES = 4096

/** For the system's dialog. Others can be dropped. */
export const ACCEPTED = [
  'image/*',
  'audio/*',
  'video/*',
  'text/*',
  ...Array.from(BY_ENDING.keys(), (ending) => `.${ending}`),
].join(',')

export function kindOf(mediaType: string): FileKind {
  if (IMAGES.has(mediaType)) return 'image'
  if (mediaType === 'application/pdf') return 'pdf'
  if (mediaType === WORD_TYPE) return 'word'
  if (/^text\/|[/+](?:json|xml|yaml)$/.test(mediaType)) return 'text'
  return /^(?:audio|video)\//.test(mediaType) ? 'media' : 'other'
}

/** The type of a file: by its ending, else by its content. */
export async function typeOf(file: File): Promise<string> {
  const [, ending = ''] = /\.(\w+)$/.exec(file.name.toLowerCase()) ?? []
  const byEnding = BY_ENDING.get(ending)
  if (byEnding !== undefined) return byEnding
  if (/^(?:image|audio|video|text)\//.test(file.type)) return file.type
  return (await isText(file)) ? 'text/plain' : file.type || UNKNOWN
}

async function isText(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer())
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return text !== '' && !/[^\P{Cc}\t\n\r\f]/u.test(text)
  } catch {
    return false
  }
}
