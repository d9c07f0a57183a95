/** URLs of a posting, as `host/path` or `host/path?name=value`, and the one address that stands for all of them. */
const rules: readonly (readonly [pattern: RegExp, address: string])[] = [
  [
    /^(?:[^/]+\.)?linkedin\.com\/(?:comm\/)?jobs\/view\/(?:[^/]*?-)?(\d{5,})\/?$/,
    'www.linkedin.com/jobs/view/$1',
  ],
  [/^(?:[^/]+\.)?linkedin\.com\/.*\?currentJobId=(\d+)$/, 'www.linkedin.com/jobs/view/$1'],
  [/^(?:m\.)?((?:[^/]+\.)?indeed\.com)\/.*\?vjk=(.+)/, '$1/viewjob?jk=$2'],
  [/^(?:m\.)?((?:[^/]+\.)?indeed\.com)\/.*\?jk=(.+)/, '$1/viewjob?jk=$2'],
  [
    /^((?:[^/]+\.)?glassdoor\.[a-z]{2,6}(?:\.[a-z]{2,3})?)\/.*\?(?:jl|jobListingId)=(.+)/,
    '$1/job-listing?jl=$2',
  ],
  [/^(?:www\.)?(?:wellfound\.com|angel\.co)\/.*\bjobs\/(\d+).*/, 'wellfound.com/jobs/$1'],
  [/^(?:www\.)?(?:wellfound\.com|angel\.co)\/.*\?job_listing_slug=(\d+).*/, 'wellfound.com/jobs/$1'],
  [/^(?:[^/]+\.)?zhipin\.com\/job_detail\/([^/]+?)\.html.*/, 'www.zhipin.com/job_detail/$1'],
  [/^(?:[^/]+\.)?lagou\.com(?:\/wn)?\/jobs\/(\d+)\.html.*$/, 'www.lagou.com/jobs/$1'],
  [/^(?:[^/]+\.)?liepin\.com\/(?:job|a)\/(\d+)\.shtml.*$/, 'www.liepin.com/job/$1'],
  [/^(?:jobs|m|we)\.51job\.com\/(?:.*\/)?(\d{6,})\.html$/, 'jobs.51job.com/$1'],
]

/** The same for boards that do not distinguish upper case. */
const caselessRules: typeof rules = [
  [/^(?:job-)?(boards(?:\.eu)?\.greenhouse\.io\/(?!embed\/)[^/]+\/jobs\/\d+).*/, 'job-$1'],
  // `/acme/<id>/apply` and `/acme/<id>/application` show the form.
  [/^((?:jobs(?:\.eu)?\.lever\.co|jobs\.ashbyhq\.com)\/[^/]+\/[\da-f-]{20,}).*/, '$1'],
]

/** The one address by which a posting of a known site is compared; undefined for other URLs. */
export function canonicalPostingAddress(url: URL): string | undefined {
  const page = url.host + url.pathname
  const query = [...url.searchParams].map(([name, value]) => `${page}?${name}=${encodeURIComponent(value)}`)
  const embedded = `${url.host}/${url.searchParams.get('for')}/jobs/${url.searchParams.get('token')}`
  return (
    applyRule(rules, [page, ...query]) ??
    applyRule(caselessRules, [page.toLowerCase(), embedded.toLowerCase()])
  )
}

function applyRule(table: typeof rules, candidates: readonly string[]): string | undefined {
  for (const [pattern, address] of table) {
    const found = candidates.find((candidate) => pattern.test(candidate))
    if (found !== undefined) return found.replace(pattern, address)
  }
  return undefined
}
