import { isJsonObject, type Json } from 'dragoman/events'
import { workplaceIn } from '../../places/workplace.ts'
import { employmentIn } from './facts.ts'
import type { SiteReading } from './site.ts'

/** What boards keep of a posting in the data that their scripts start from. */

/** Greenhouse's `window.__remixContext`. */
export function greenhouseState(state: Json): SiteReading {
  const routes = at(state, 'state', 'loaderData')
  const post = values(routes)
    .map((route) => at(route, 'jobPost'))
    .find(isJsonObject)
  if (!post) return {}
  const pay = values(post['pay_ranges']).map((range) => payRange(range))
  const parts = [post['introduction'], post['content'], post['conclusion']]
  return {
    title: text(post['title']),
    company: text(post['company_name']),
    location: text(post['job_post_location']),
    salary: pay.filter(Boolean).join('; '),
    workplace: workplaceIn(text(post['job_post_location'])) ?? undefined,
    postedAt: moment(post['published_at']),
    description: parts.map(text).join('\n'),
  }
}

function payRange(range: Json): string {
  const [from, to] = [at(range, 'min'), at(range, 'max')].map(text)
  return [text(at(range, 'currency_type')), [from, to].filter(Boolean).join(' - ')].filter(Boolean).join(' ')
}

/** Ashby's `window.__appData`. */
export function ashbyState(state: Json): SiteReading {
  const posting = at(state, 'posting')
  if (!isJsonObject(posting)) return {}
  const places = [posting['locationName'], ...values(posting['secondaryLocationNames'])].map(text)
  return {
    title: text(posting['title']),
    company: text(at(state, 'organization', 'name')),
    location: places.filter(Boolean).join('; '),
    salary: text(posting['compensationTierSummary']),
    workplace:
      workplaceIn(text(posting['workplaceType'])) ?? (posting['isRemote'] === true ? 'remote' : undefined),
    // FullTime
    employmentType:
      employmentIn(text(posting['employmentType']).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')) ?? '',
    postedAt: moment(posting['publishedDate']),
    description: text(posting['descriptionHtml']),
  }
}

/** Indeed's `window._initialData`. */
export function indeedState(state: Json): SiteReading {
  const job = at(state, 'jobInfoWrapperModel', 'jobInfoModel')
  const head = at(job, 'jobInfoHeaderModel')
  const result = at(state, 'hostQueryExecutionResult', 'data', 'jobData', 'results', '0', 'job')
  const description = at(job, 'sanitizedJobDescription')
  const types = values(at(state, 'jobMetadataHeaderModel', 'jobTypes')).map((type) =>
    text(at(type, 'label') ?? type),
  )
  return {
    title: text(at(head, 'jobTitle')) || text(at(result, 'title')),
    company: text(at(head, 'companyName')) || text(at(result, 'sourceEmployerName')),
    location: text(at(head, 'formattedLocation')),
    salary: text(at(state, 'salaryInfoModel', 'salaryText')),
    workplace: workplaceIn(text(at(head, 'remoteWorkModel', 'text'))) ?? undefined,
    employmentType: employmentIn(types.join(' ')) ?? '',
    postedAt: moment(at(result, 'datePublished') ?? at(result, 'dateOnIndeed')),
    description:
      text(description) || text(at(description, 'content')) || text(at(result, 'description', 'html')),
  }
}

/** Wellfound's `__NEXT_DATA__`: of all listings in it the one that the address names. */
export function wellfoundState(state: Json, url: URL): SiteReading {
  const store =
    at(state, 'props', 'pageProps', 'apolloState', 'data') ?? at(state, 'props', 'pageProps', 'apolloState')
  const id =
    /\/jobs\/(\d+)/.exec(url.pathname)?.[1] ??
    /^\d+/.exec(url.searchParams.get('job_listing_slug') ?? '')?.[0]
  const listing = id === undefined ? undefined : at(store, `JobListing:${id}`)
  if (!listing) return {}
  const names = at(listing, 'locationNames')
  return {
    title: text(at(listing, 'title')),
    company: text(at(at(store, text(at(listing, 'startup', '__ref'))), 'name')),
    location: values(at(names, 'json') ?? names)
      .map(text)
      .join('; '),
    salary: text(at(listing, 'compensation')),
    workplace: at(listing, 'remote') === true ? 'remote' : undefined,
    employmentType: employmentIn(text(at(listing, 'jobType'))) ?? '',
    postedAt: moment(at(listing, 'liveStartAt')),
    description: text(at(listing, 'description')),
  }
}

function at(json: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = json
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)]
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key]
    else return undefined
  }
  return found
}

function values(json: Json | undefined): readonly Json[] {
  if (Array.isArray(json)) return json.slice(0, 50)
  return isJsonObject(json) ? Object.values(json).slice(0, 200) : []
}

function text(json: Json | undefined): string {
  if (typeof json === 'number') return String(json)
  return typeof json === 'string' ? json.trim() : ''
}

/** An ISO time, or seconds or milliseconds since 1970. */
function moment(json: Json | undefined): string | undefined {
  if (typeof json !== 'string' && typeof json !== 'number') return undefined
  const date = new Date(typeof json === 'number' && json < 1e11 ? json * 1000 : json)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
