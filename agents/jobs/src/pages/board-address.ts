/** The addresses under which boards show one and the same posting: beside a list, with its title in it, its form. */
type Shape = { readonly host: RegExp; readonly address: (url: URL) => string | undefined }

const shapes: readonly Shape[] = [
  {
    host: /(?:^|\.)linkedin\.com$/,
    address: ({ pathname, searchParams }) => {
      const id =
        /^\/jobs\/view\/(?:[^/]*?-)?(\d{5,})\/?$/.exec(pathname)?.[1] ?? searchParams.get('currentJobId')
      return id !== null && /^\d+$/.test(id) ? `www.linkedin.com/jobs/view/${id}` : undefined
    },
  },
  {
    host: /(?:^|\.)indeed\.com$/,
    address: ({ host, searchParams }) => {
      const id = searchParams.get('vjk') ?? searchParams.get('jk')
      return id ? `${host.replace(/^m\./, '')}/viewjob?jk=${encodeURIComponent(id)}` : undefined
    },
  },
  {
    host: /(?:^|\.)glassdoor\.[a-z.]+$/,
    address: ({ host, searchParams }) => {
      const id = searchParams.get('jl') ?? searchParams.get('jobListingId')
      return id ? `${host}/job-listing?jl=${encodeURIComponent(id)}` : undefined
    },
  },
  {
    host: /^(?:job-)?boards(?:\.eu)?\.greenhouse\.io$/,
    address: ({ host, pathname, searchParams }) => {
      const [, slug = searchParams.get('for'), id = searchParams.get('token')] =
        /^\/(?!embed\/)([^/]+)\/jobs\/(\d+)/.exec(pathname) ?? []
      return slug && id
        ? `${host.replace(/^boards/, 'job-boards')}/${slug.toLowerCase()}/jobs/${encodeURIComponent(id)}`
        : undefined
    },
  },
  { host: /^jobs(?:\.eu)?\.lever\.co$/, address: withoutForm },
  { host: /^jobs\.ashbyhq\.com$/, address: withoutForm },
  {
    host: /^(?:www\.)?(?:wellfound\.com|angel\.co)$/,
    address: ({ pathname, searchParams }) => {
      const id =
        /\/jobs\/(\d+)/.exec(pathname)?.[1] ?? /^\d+/.exec(searchParams.get('job_listing_slug') ?? '')?.[0]
      return id && `wellfound.com/jobs/${id}`
    },
  },
  {
    host: /(?:^|\.)zhipin\.com$/,
    address: ({ pathname }) =>
      matched(pathname, /^\/job_detail\/([^/]+?)\.html/, 'www.zhipin.com/job_detail'),
  },
  {
    host: /(?:^|\.)lagou\.com$/,
    address: ({ pathname }) => matched(pathname, /^(?:\/wn)?\/jobs\/(\d+)\.html/, 'www.lagou.com/jobs'),
  },
  {
    host: /(?:^|\.)liepin\.com$/,
    address: ({ pathname }) => matched(pathname, /^\/(?:job|a)\/(\d+)\.shtml/, 'www.liepin.com/job'),
  },
  {
    host: /^(?:jobs|m|we)\.51job\.com$/,
    address: ({ pathname }) => matched(pathname, /\/(\d{6,})\.html$/, 'jobs.51job.com'),
  },
]

/**
 * The one address that a known board's posting is compared by; undefined for all else. Some tell upper case from
 * lower case.
 */
export function boardAddress(url: URL): string | undefined {
  return shapes.find(({ host }) => host.test(url.hostname))?.address(url)
}

/** `/acme/<id>/apply` and `/acme/<id>/application` show the form. */
function withoutForm({ host, pathname }: URL): string | undefined {
  const posting = /^\/([^/]+)\/([\da-f-]{20,})/i.exec(pathname)
  return posting ? `${host}/${posting[1]}/${posting[2]}`.toLowerCase() : undefined
}

function matched(path: string, pattern: RegExp, before: string): string | undefined {
  const id = pattern.exec(path)?.[1]
  return id === undefined ? undefined : `${before}/${id}`
}
