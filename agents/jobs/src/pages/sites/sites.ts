import type { Json } from 'dragoman/events'
import type { Source } from '../../tables.ts'
import {
  chineseHead,
  companyTitlePlace,
  linkedinHead,
  titleCompanyPlace,
  titlePlace,
} from './pasted-head-readers.ts'
import type { Site, SiteReading } from './site.ts'
import data from './sites.json' with { type: 'json' }
import { ashbyState, greenhouseState, indeedState, wellfoundState } from './embedded-state-readers.ts'

type HeadReader = (lines: readonly string[]) => SiteReading

export const sites = data as readonly Site[]

const headReaders: Partial<Readonly<Record<Source, HeadReader>>> = {
  linkedin: linkedinHead,
  indeed: titleCompanyPlace,
  glassdoor: companyTitlePlace,
  wellfound: companyTitlePlace,
  greenhouse: titlePlace,
  lever: titlePlace,
  ashby: titlePlace,
}

/** Reads the lines before the description of a site's pasted page. */
export function readHead(site: Site, lines: readonly string[]): SiteReading {
  return (headReaders[site.source] ?? chineseHead)(lines)
}

type StateReader = (state: Json, url: URL) => SiteReading

/** Reads the data from which a site's scripts start. */
export const stateReaders: Partial<Readonly<Record<Source, StateReader>>> = {
  greenhouse: greenhouseState,
  ashby: ashbyState,
  indeed: indeedState,
  wellfound: wellfoundState,
}

/** The site that a URL belongs to, if it is known. */
export function siteOf(url: URL): Site | undefined {
  const labels = url.hostname.split('.')
  return sites.find(({ names }) => names.some((name) => labels.includes(name)))
}
