import { companyTitlePlace, linkedinHead, titleCompanyPlace, titlePlace } from './heads.ts'
import type { Site } from './site.ts'
import { ashbyState, greenhouseState, indeedState, wellfoundState } from './states.ts'

/** A page for who is signed in, the one beside a list, and the guest's. */
const linkedin: Site = {
  source: 'linkedin',
  names: ['linkedin'],
  places: {
    title: [
      '.job-details-jobs-unified-top-card__job-title',
      '.jobs-unified-top-card__job-title',
      '.top-card-layout__title',
      '.topcard__title',
    ],
    company: [
      '.job-details-jobs-unified-top-card__company-name',
      '.jobs-unified-top-card__company-name',
      '.topcard__org-name-link',
      '.topcard__flavor',
    ],
    location: [
      '.job-details-jobs-unified-top-card__tertiary-description-container',
      '.job-details-jobs-unified-top-card__primary-description-container',
      '.jobs-unified-top-card__bullet',
      '.topcard__flavor--bullet',
    ],
    description: [
      '#job-details',
      '.jobs-description-content__text',
      '.jobs-description__content',
      '.show-more-less-html__markup',
      '.description__text',
    ],
    facts: [
      '.job-details-fit-level-preferences button',
      '.job-details-preferences-and-skills__pill',
      '.job-details-jobs-unified-top-card__job-insight',
      '.jobs-unified-top-card__workplace-type',
      '.jobs-unified-top-card__job-insight',
      '.compensation__salary',
      '.description__job-criteria-text',
      '.posted-time-ago__text',
      '.job-details-jobs-unified-top-card__tertiary-description-container .tvm__text',
      '.job-details-jobs-unified-top-card__primary-description-container .tvm__text',
    ],
  },
  watermark: /^(?:about the job|show (?:more|less)|… ?more|see more)$/i,
  head: linkedinHead,
}

const indeed: Site = {
  source: 'indeed',
  names: ['indeed'],
  places: {
    title: [
      '[data-testid="jobsearch-JobInfoHeader-title"]',
      '[data-testid="simpler-jobTitle"]',
      '.jobsearch-JobInfoHeader-title',
    ],
    company: [
      '[data-testid="inlineHeader-companyName"]',
      '[data-company-name="true"]',
      '.jobsearch-JobInfoHeader-companyNameSimple',
      '.jobsearch-JobInfoHeader-companyNameLink',
    ],
    location: [
      '[data-testid="inlineHeader-companyLocation"]',
      '[data-testid="job-location"]',
      '[data-testid="jobsearch-JobInfoHeader-companyLocation"]',
      '#jobLocationText',
    ],
    description: ['#jobDescriptionText', '.jobsearch-jobDescriptionText'],
    facts: [
      '#salaryInfoAndJobType > span',
      '#jobDetailsSection [data-testid$="-tile"]',
      '[data-testid="myJobsStateDate"]',
      '.jobsearch-JobMetadataFooter div',
    ],
  },
  state: { name: '_initialData', read: indeedState },
  head: titleCompanyPlace,
}

const glassdoor: Site = {
  source: 'glassdoor',
  names: ['glassdoor'],
  places: {
    title: ['h1[id^="jd-job-title"]', '[data-test="job-details-header"] h1', 'h1[data-test="job-title"]'],
    company: [
      '[data-test="job-details-header"] [class*="EmployerProfile_employerNameHeading"]',
      '[class*="EmployerProfile_employerNameHeading"]',
      '[data-test="employer-name"]',
    ],
    location: ['[data-test="job-details-header"] [data-test="location"]', '[data-test="location"]'],
    description: [
      '[class*="JobDetails_jobDescription__"]',
      '[data-test="jobDescriptionText"]',
      '.jobDescriptionContent',
    ],
    // Each posting of the list beside it has one too.
    facts: [
      '[class*="TwoColumnLayout_columnRight"] [data-test="detailSalary"]',
      '[class*="JobDetails_jobDetailsContainer"] [data-test="detailSalary"]',
      '[data-test="job-details-header"] [data-test="job-age"]',
    ],
  },
  head: companyTitlePlace,
  begins: /^(?:easy apply|apply(?: now| on employer site)?|job description)$/i,
}

const greenhouse: Site = {
  source: 'greenhouse',
  names: ['greenhouse'],
  places: {
    title: ['h1.app-title', '.job__title h1', '.job__header h1'],
    company: [
      '.company-name',
      '.job-post-container .logo img@alt',
      '.image-container img@alt',
      'header img.logo@alt',
    ],
    location: ['#header .location', '.job__location', '.app-title ~ .location'],
    description: ['.job__description', '#content'],
    facts: ['.pay-range', '.job__pay-ranges .pay-range', '.job__location', '#header .location'],
  },
  furniture: '#application, .job-alert, .application--container',
  state: { name: '__remixContext', read: greenhouseState },
  head: titlePlace,
  begins: /^apply(?: now| for this job)?$/i,
}

const lever: Site = {
  source: 'lever',
  names: ['lever'],
  places: {
    title: ['.posting-headline h2'],
    company: ['.main-header-logo .company', '.main-header-logo img@alt'],
    location: ['.posting-categories .location'],
    // The heading, and the last one with the button to apply, are sections too.
    description: ['.section:not(.posting-header):not(.last-section-apply)'],
    facts: [
      '[data-qa="salary-range"]',
      '.posting-categories .commitment',
      '.posting-categories .workplaceTypes',
    ],
  },
  head: titlePlace,
  begins: /^apply for this job$/i,
}

const ashby: Site = {
  source: 'ashby',
  names: ['ashby', 'ashbyhq'],
  places: {
    title: ['.ashby-job-posting-heading'],
    company: ['[class*="_navLogo"] img@alt', 'header img@alt'],
    location: ['.ashby-job-posting-left-pane [class*="_section_"]:first-child p'],
    description: [
      '#overview [class*="_description_"]',
      '.ashby-job-posting-right-pane [class*="_descriptionText_"]',
      '[class*="_descriptionText_"]',
    ],
    facts: [
      '.ashby-job-posting-left-pane p',
      '.ashby-job-posting-left-pane [class*="_compensationTierSummary"]',
    ],
  },
  state: { name: '__appData', read: ashbyState },
  head: titlePlace,
  begins: /^(?:application|apply for this job)$/i,
}

const wellfound: Site = {
  source: 'wellfound',
  names: ['wellfound', 'angel'],
  places: {
    title: ['h1.inline', '[class*="styles_title__"]', '[data-test="JobTitle"]'],
    company: [
      '[data-test="CompanyName"]',
      'a[href^="/company/"] [class*="font-semibold"]',
      '[class*="styles_companyName"]',
    ],
    location: ['[data-test="JobLocation"]', '[class*="styles_location__"]'],
    description: ['#job-description', '[data-test="JobDescription"]', '[class*="styles_description__"]'],
    facts: ['[data-test="JobCompensation"]', '[class*="styles_compensation__"]', '[data-test="JobType"]'],
  },
  state: { name: '__NEXT_DATA__', read: wellfoundState },
  head: companyTitlePlace,
  begins: /^(?:apply(?: now)?|about the job)$/i,
}

/** The boards of the English-speaking world. */
export const westernSites: readonly Site[] = [
  linkedin,
  indeed,
  glassdoor,
  greenhouse,
  lever,
  ashby,
  wellfound,
]
