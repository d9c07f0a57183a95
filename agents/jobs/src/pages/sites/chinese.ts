import { chineseHead } from './heads.ts'
import type { Site } from './site.ts'

const zhipin: Site = {
  source: 'zhipin',
  names: ['zhipin'],
  places: {
    title: [
      '.job-banner .name h1',
      '.job-primary .name h1',
      '.job-detail-header .job-name',
      '.job-detail-info .job-name',
    ],
    company: [
      '.sider-company .company-info a[title]@title',
      '.level-list .company-name',
      '.company-name-box .company-name',
      '.job-detail-box .boss-info-attr',
      '.smallbanner .company-info .name',
    ],
    location: [
      '.location-address',
      '.job-banner .text-city',
      '.job-address-desc',
      '.job-detail-header .tag-list li',
    ],
    description: ['.job-detail-section .job-sec-text', '.job-sec-text', '.job-detail-body .desc'],
    facts: [
      '.job-banner .salary',
      '.job-primary .salary',
      '.job-detail-header .job-salary',
      '.job-banner .job-type',
      '.job-detail .time',
    ],
  },
  // Words that are not shown stand among the shown ones, to catch who copies.
  watermark: /^(?:来自)?(?:BOSS直聘|boss|kanzhun|直聘|看准)$/i,
  head: chineseHead,
}

const lagou: Site = {
  source: 'lagou',
  names: ['lagou'],
  places: {
    title: [
      '.position-head-wrap-position-name',
      '.position-head-wrap-name',
      '.job-name@title',
      '.job-name .name',
      '.position-head h1',
    ],
    company: [
      '.company_name',
      '.job_company .fl-cn',
      '.job_company_content em',
      '.job-name .company',
      '.company',
    ],
    location: [
      '.job_request .job-location',
      '.job-request .job-location',
      '.work_addr',
      '.job_request h3 span:nth-child(2)',
    ],
    description: ['.job_bt .job-detail', '.job-detail', '.job_bt'],
    facts: [
      '.job_request .salary',
      '.job-request .salary',
      '.salary',
      '.job_request h3 span',
      '.job_request span',
      '.publish_time',
    ],
  },
  furniture: '.job-advantage, .job_bt > h3',
  head: chineseHead,
}

const liepin: Site = {
  source: 'liepin',
  names: ['liepin'],
  places: {
    title: [
      '.job-apply-content .name-box .name',
      '.job-apply-content .name-box .job-title',
      '.title-info h1',
    ],
    company: [
      '.company-info-container .company-card .name',
      '.company-info-container .name',
      '.title-info h3',
    ],
    location: ['.job-apply-content .job-properties span', '.basic-infor span'],
    description: ['[data-selector="job-intro-content"]', '.job-intro-content', '.content-word'],
    facts: ['.name-box .salary', '.job-item-title', '.job-properties span', '.update-time'],
  },
  head: chineseHead,
}

const job51: Site = {
  source: '51job',
  names: ['51job'],
  places: {
    title: ['.cn h1@title', '.cn h1', '.job-title h1'],
    company: ['.cname .catn@title', '.cname .catn', '.cname a@title', '.com_name'],
    location: ['.msg.ltype@title', '.msg.ltype', '.lname'],
    description: ['.job_msg'],
    facts: ['.cn strong', '.msg.ltype@title', '.msg.ltype'],
  },
  // Classes of work, and where to share it.
  furniture: '.mt10, .share, .clear',
  head: chineseHead,
}

/** The boards of the Chinese-speaking world. */
export const chineseSites: readonly Site[] = [zhipin, lagou, liepin, job51]
