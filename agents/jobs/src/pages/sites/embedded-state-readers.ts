import type { Json } from 'dragoman/events'
import { lineAt, listAt, textAt, timeAt, valueAt } from '../../json-fields.ts'
import { workplaceIn } from '../../places/workplace.ts'
import { employmentIn } from './parse-posting-facts.ts'
import type { SiteReading } from './site.ts'

/** Reads postings from the data that sites' scripts start from. */

/** Greenhouse's `window.__remixContext`. */
export function greenhouseState(state: Json): SiteReading {
  const post = listAt(state, 'state', 'loaderData')
    .map((route) => valueAt(route, 'jobPost'))
    .find((found) => found !== undefined)
  const location = lineAt(post, 'job_post_location')
  return {
    title: lineAt(post, 'title'),
    company: lineAt(post, 'company_name'),
    location,
    salary: listAt(post, 'pay_ranges').map(greenhousePay).filter(Boolean).join('; '),
    workplace: workplaceIn(location),
    postedAt: timeAt(post, 'published_at'),
    description: ['introduction', 'content', 'conclusion']
      .map((part) => textAt(post, part))
      .join('\n')
      .trim(),
  }
}

function greenhousePay(range: Json): string {
  const ends = [lineAt(range, 'min'), lineAt(range, 'max')].filter(Boolean)
  return [lineAt(range, 'currency_type'), ends.join(' - ')].filter(Boolean).join(' ')
}

/** Ashby's `window.__appData`. */
export function ashbyState(state: Json): SiteReading {
  const posting = valueAt(state, 'posting')
  const places = [valueAt(posting, 'locationName'), ...listAt(posting, 'secondaryLocationNames')]
  return {
    title: lineAt(posting, 'title'),
    company: lineAt(state, 'organization', 'name'),
    location: places
      .map((place) => lineAt(place))
      .filter(Boolean)
      .join('; '),
    salary: lineAt(posting, 'compensationTierSummary'),
    workplace:
      workplaceIn(lineAt(posting, 'workplaceType')) ??
      (valueAt(posting, 'isRemote') === true ? 'remote' : null),
    // `FullTime` → `Full Time`
    employmentType: employmentIn(lineAt(posting, 'employmentType').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')),
    postedAt: timeAt(posting, 'publishedDate'),
    description: textAt(posting, 'descriptionHtml'),
  }
}

/** Indeed's `window._initialData`. */
export function indeedState(state: Json): SiteReading {
  const job = valueAt(state, 'jobInfoWrapperModel', 'jobInfoModel')
  const head = valueAt(job, 'jobInfoHeaderModel')
  const result = valueAt(state, 'hostQueryExecutionResult', 'data', 'jobData', 'results', '0', 'job')
  const description = valueAt(job, 'sanitizedJobDescription')
  const types = listAt(state, 'jobMetadataHeaderModel', 'jobTypes')
  return {
    title: lineAt(head, 'jobTitle') || lineAt(result, 'title'),
    company: lineAt(head, 'companyName') || lineAt(result, 'sourceEmployerName'),
    location: lineAt(head, 'formattedLocation'),
    salary: lineAt(state, 'salaryInfoModel', 'salaryText'),
    workplace: workplaceIn(lineAt(head, 'remoteWorkModel', 'text')),
    employmentType: employmentIn(types.map((type) => lineAt(type, 'label') || lineAt(type)).join(' ')),
    postedAt: timeAt(result, 'datePublished') ?? timeAt(result, 'dateOnIndeed'),
    description:
      textAt(description) || textAt(description, 'content') || textAt(result, 'description', 'html'),
  }
}

/** Wellfound's `__NEXT_DATA__`: of all its listings the one that the URL names. */
export function wellfoundState(state: Json, url: URL): SiteReading {
  const apollo = valueAt(state, 'props', 'pageProps', 'apolloState')
  const store = valueAt(apollo, 'data') ?? apollo
  const listing = valueAt(store, `JobListing:${wellfoundId(url)}`)
  const names = valueAt(listing, 'locationNames')
  return {
    title: lineAt(listing, 'title'),
    company: lineAt(store, textAt(listing, 'startup', '__ref'), 'name'),
    location: listAt(valueAt(names, 'json') ?? names)
      .map((name) => lineAt(name))
      .join('; '),
    salary: lineAt(listing, 'compensation'),
    workplace: valueAt(listing, 'remote') === true ? 'remote' : null,
    employmentType: employmentIn(lineAt(listing, 'jobType')),
    postedAt: timeAt(listing, 'liveStartAt'),
    description: textAt(listing, 'description'),
  }
}

/** The id of the posting that a URL of Wellfound names. */
function wellfoundId({ pathname, searchParams }: URL): string | undefined {
  return /\/jobs\/(\d+)/.exec(pathname)?.[1] ?? /^\d+/.exec(searchParams.get('job_listing_slug') ?? '')?.[0]
}
