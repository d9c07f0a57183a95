/** Only so much of a text is looked at. */
const MAX_INPUT_CHARACTERS = 8192
/** A shorter value in a header or a variable is not a secret, and occurs in ordinary words. */
const MIN_SECRET_CHARACTERS = 6

type Options = {
  /** Values that must not appear, whatever they look like. */
  readonly secrets?: readonly string[]
  readonly maxCharacters?: number
}

/**
 * Converts untrusted text to one line without keys: without the given secrets, anything that looks like a key,
 * and the user name and password of a URL.
 */
export function scrub(text: string, { secrets = [], maxCharacters = 300 }: Options = {}): string {
  let line = text.slice(0, MAX_INPUT_CHARACTERS)
  for (const secret of partsOf(secrets)) line = line.replaceAll(secret, KEY)
  line = hideKeys(line.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim())
  if (line.length <= maxCharacters) return line
  // A surrogate pair is not cut in two.
  return `${line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A longer quotation is no name and no value of a setting. */
const MAX_QUOTATION_CHARACTERS = 40
/** From an opening quotation mark to the closing one. An apostrophe is neither. */
const QUOTATIONS = /(?<!\w)(?:"(?:[^"]|"(?=\w))*|'(?:[^']|'(?=\w))*|`(?:[^`]|`(?=\w))*|“[^”]*)(?:["'`”]|$)/g

/** The text without long quotations: an error of others may quote what a user wrote. */
export function shortenQuotations(text: string): string {
  return text.replaceAll(QUOTATIONS, (quotation) =>
    quotation.length > MAX_QUOTATION_CHARACTERS + 2
      ? `${quotation[0]}…${/["'`”]$/.exec(quotation)?.[0] ?? ''}`
      : quotation,
  )
}

/** The text without the given secrets, and without anything that looks like a key. It keeps its lines. */
export function hideKeys(text: string, secrets: readonly string[] = []): string {
  let rest = text.slice(0, MAX_INPUT_CHARACTERS)
  for (const secret of secrets) rest = rest.replaceAll(secret, KEY)
  for (const [pattern, replacement] of PATTERNS) rest = rest.replaceAll(pattern, replacement as string)
  return rest
}

const KEY = '[key]'

const SECRET_NAME =
  '(?:[\\w-]{0,30}[_-])?(?:api[ _-]?key|token|secret|password|passwd|authorization|signature)(?: provided| given)?'

type Replacement = string | ((found: string, part: string | undefined) => string)

const PATTERNS: readonly (readonly [RegExp, Replacement])[] = [
  [/([a-z][\w+.-]{0,20}:\/\/)[^\s/@]+@/gi, '$1'],
  [/\b(Bearer|Basic)\s+(?!\[key\])[^\s"',;]+/gi, `$1 ${KEY}`],
  // sk-…, gsk_…, xai-…, ghp_…: also masked with asterisks, as providers quote them.
  [/\b(?:sk|pk|rk|gsk|xai|hf|r8|gh[a-z]|glpat|github_pat|xox[a-z])[-_][\w*.-]{4,}/gi, KEY],
  [/\b(?:AIza|ya29\.|AKIA)[\w.-]{8,}/g, KEY],
  // JSON in base64 is a token only if a second part follows.
  [/\beyJ[\w-]{5,}(\.[\w-]+(?:\.[\w-]*)?)?/g, (found, rest) => (rest === undefined ? found : KEY)],
  [new RegExp(String.raw`\b(${SECRET_NAME}["']?\s?[:=]\s?["']?)(?!\[key\])[^\s"',;&)]+`, 'gi'), `$1${KEY}`],
  [/([?&](?:key|sig)=)[^\s"'&]+/gi, `$1${KEY}`],
  // Mixed upper case, lower case and digits: none of our ids, hashes or names look like that.
  [/\b(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d)\w{24,}\b/g, KEY],
]

/** A header holds a word before its key: each part counts. The longest is replaced first. */
function partsOf(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap((secret) => [secret, ...secret.split(/[\s,;=]+/)]))]
    .filter((part) => part.length >= MIN_SECRET_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
}
