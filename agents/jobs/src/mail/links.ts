import { createHash } from 'node:crypto'

import { boardPosting } from '../boards/boards.ts'
import alertWords from './alert-words.json' with { type: 'json' }

/** A URL may contain a URL that contains a URL. */
const MAX_LEVELS = 4
const MAX_URL_LENGTH = 8000

/** The pages of postings on sites that send alerts. `query` are the parameters with the posting's id. */
const pages = alertWords.pages.map(({ host, path, query, to = '' }) => {
  return { host: new RegExp(host), path: new RegExp(path, 'i'), query, to }
})

/** The posting that a mail's link leads to, without anything that tracks its reader. */
export function postingLink(href: string): URL | undefined {
  return findPosting(href, 0)
}

/** The same for each link to a posting. */
export function linkKey(url: URL): string {
  return createHash('sha256').update(url.href).digest('hex').slice(0, 16)
}

/** A tracking link contains its target in the query or in the path; the tracker is never asked. */
function findPosting(href: string, level: number): URL | undefined {
  const url = href.length <= MAX_URL_LENGTH ? URL.parse(href) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  const posting = linkedInPosting(url) ?? postingOnBoard(url) ?? postingOnSite(url)
  if (posting || level === MAX_LEVELS) return posting
  // `/L0/https:%2F%2Fwww.indeed.com%2Fviewjob%3Fjk=1/1/…`
  const inPath = url.pathname.split('/').filter((part) => /^https?(:|%3A)/i.test(part))
  for (const target of [...url.searchParams.values(), ...inPath]) {
    const found = findPosting(decodeTarget(target), level + 1)
    if (found) return found
  }
  return undefined
}

/** A target may be encoded once more, or be base64. */
function decodeTarget(text: string): string {
  if (/^https?(?:%3A|:%2F)/i.test(text)) {
    try {
      return decodeURIComponent(text)
    } catch {
      return ''
    }
  }
  return /^aHR0c[\w+/=-]+$/.test(text) ? Buffer.from(text, 'base64url').toString() : text
}

function linkedInPosting({ hostname, pathname }: URL): URL | undefined {
  if (!/(^|\.)linkedin\.(com|cn)$/.test(hostname)) return undefined
  const id = /^\/(?:comm\/)?jobs\/view\/(?:[^/]*-)?(\d{6,})\/?$/.exec(pathname)?.[1]
  return id === undefined ? undefined : new URL(`https://www.linkedin.com/jobs/view/${id}`)
}

function postingOnBoard(url: URL): URL | undefined {
  const { board, slug = '', id } = boardPosting(url) ?? {}
  if (!board) return undefined
  // An embedded posting has its id in the query.
  return board.kind === 'greenhouse'
    ? new URL(`https://boards.greenhouse.io/${encodeURIComponent(slug)}/jobs/${id}`)
    : new URL(url.origin + url.pathname.replace(/\/(apply|application|c\/new)\/?$/, ''))
}

function postingOnSite({ origin, hostname, pathname, searchParams }: URL): URL | undefined {
  const page = pages.find(({ host, path }) => host.test(hostname) && path.test(pathname))
  if (!page) return undefined
  if (!page.query) return new URL(origin + pathname)
  const id = page.query.map((name) => searchParams.get(name)).find(Boolean)
  return id ? new URL(`${origin}${page.to}${encodeURIComponent(id)}`) : undefined
}
