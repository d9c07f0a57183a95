import { createHash } from 'node:crypto'

import { boardPosting } from '../boards/boards.ts'

/** An address in an address in an address … no deeper than this. */
const MAX_LEVELS = 4
const MAX_URL_LENGTH = 8000

/** Where postings are on the sites that send alerts; `keep` names what of the query says which posting it is. */
const SITES: readonly { readonly host: RegExp; readonly path: RegExp; readonly keep?: readonly string[] }[] =
  [
    { host: /(^|\.)indeed\.(com|[a-z]{2}|co\.[a-z]{2})$/, path: /./, keep: ['jk', 'vjk'] },
    {
      host: /(^|\.)glassdoor\.[a-z.]{2,6}$/,
      path: /^\/(job-listing|partner|Job)\b/i,
      keep: ['jl', 'jobListingId'],
    },
    { host: /(^|\.)zhipin\.com$/, path: /^\/job_detail\/[\w~-]+\.html$/ },
    { host: /(^|\.)lagou\.com$/, path: /^\/(wn\/)?jobs\/\d+\.html$/ },
    { host: /(^|\.)liepin\.com$/, path: /^\/(job|a|lptjob)\/\d+(\.shtml)?$/ },
    { host: /(^|\.)zhaopin\.com$/, path: /^\/(jobdetail\/)?CC?[\dA-Z]+(\.htm)?$/i },
    { host: /(^|\.)51job\.com$/, path: /^\/[\w-]+\/\d+\.html$/ },
    { host: /(^|\.)stepstone\.[a-z]{2,3}$/, path: /^\/(stellenangebote|jobs)--.+\.html$/ },
    { host: /(^|\.)wellfound\.com$/, path: /^\/jobs\/\d+/ },
  ]

/**
 * The posting that a mail's link leads to, without what follows its reader; nothing if it leads to none that we know.
 */
export function postingLink(href: string): URL | undefined {
  const url = unwrapped(href, 0)
  if (!url) return undefined
  return linkedIn(url) ?? ofBoard(url) ?? ofSite(url)
}

/** The same for the same posting. */
export function linkKey(url: URL): string {
  return createHash('sha256').update(url.href).digest('hex').slice(0, 16)
}

/** The address that stands in a tracking link, in a parameter or in the path: without asking the tracker. */
function unwrapped(href: string, level: number): URL | undefined {
  const url = href.length <= MAX_URL_LENGTH ? URL.parse(href) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (level >= MAX_LEVELS || isPosting(url)) return url
  for (const inner of [...url.searchParams.values(), ...inPath(url)]) {
    const found = unwrapped(asAddress(inner), level + 1)
    if (found && isPosting(found)) return found
  }
  return url
}

function isPosting(url: URL): boolean {
  return (linkedIn(url) ?? ofBoard(url) ?? ofSite(url)) !== undefined
}

/** `/L0/https:%2F%2Fwww.indeed.com%2Fviewjob%3Fjk=1/1/…` */
function inPath(url: URL): readonly string[] {
  return url.pathname.split('/').filter((part) => /^https?(:|%3A)/i.test(part))
}

/** Some write the address as it is, some once more encoded, some in base64. */
function asAddress(text: string): string {
  if (/^https?%3A/i.test(text) || /^https?:%2F/i.test(text)) {
    try {
      return decodeURIComponent(text)
    } catch {
      return ''
    }
  }
  return /^aHR0c[\w+/=-]+$/.test(text) ? Buffer.from(text, 'base64url').toString() : text
}

function linkedIn({ hostname, pathname }: URL): URL | undefined {
  if (!/(^|\.)linkedin\.(com|cn)$/.test(hostname)) return undefined
  const id = /^\/(?:comm\/)?jobs\/view\/(?:[^/]*-)?(\d{6,})\/?$/.exec(pathname)?.[1]
  return id === undefined ? undefined : new URL(`https://www.linkedin.com/jobs/view/${id}`)
}

/** What a board knows is a posting, wherever the link comes from. */
function ofBoard(url: URL): URL | undefined {
  const found = boardPosting(url)
  if (!found) return undefined
  // An embedded posting has its id in the query.
  return found.board.kind === 'greenhouse'
    ? new URL(`https://boards.greenhouse.io/${encodeURIComponent(found.slug)}/jobs/${found.id}`)
    : new URL(url.origin + url.pathname.replace(/\/(apply|application|c\/new)\/?$/, ''))
}

function ofSite(url: URL): URL | undefined {
  const site = SITES.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname))
  if (!site) return undefined
  const plain = new URL(url.origin + url.pathname)
  if (!site.keep) return plain
  const id = site.keep.map((name) => url.searchParams.get(name)).find(Boolean)
  if (!id) return undefined
  return url.hostname.includes('indeed')
    ? new URL(`${url.origin}/viewjob?jk=${encodeURIComponent(id)}`)
    : new URL(`${url.origin}/job-listing/j?jl=${encodeURIComponent(id)}`)
}
