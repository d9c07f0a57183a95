import type { Generated } from 'kysely'

import type { Salary } from './salary/salary.ts'
import type { Status } from './postings/status.ts'
import type { Workplace } from './places/workplace.ts'
import type { Language } from './words/language.ts'

/** Where a posting came from. */
export const sources = [
  'linkedin',
  'indeed',
  'email',
  'manual',
  'web',
  'glassdoor',
  'greenhouse',
  'lever',
  'ashby',
  'wellfound',
  'zhipin',
  'lagou',
  'liepin',
  '51job',
] as const
export type Source = (typeof sources)[number]

/** One posting of one user. Times are ISO strings in UTC. */
export type JobRow = {
  readonly id: Generated<number>
  readonly user_id: string
  readonly title: string
  readonly company: string
  readonly location: string | null
  readonly workplace: Workplace | null
  readonly url: string
  readonly url_hash: string
  readonly status: Status
  readonly source: Source
  readonly employment_type: string | null
  readonly salary_text: string | null
  readonly salary_min: number | null
  readonly salary_max: number | null
  readonly salary_currency: string | null
  readonly salary_period: Salary['period']
  readonly salary_annual_min: number | null
  readonly salary_annual_max: number | null
  readonly description: string | null
  readonly posted_at: string | null
  readonly valid_through: string | null
  readonly starred: Generated<0 | 1>
  readonly score: Generated<number | null>
  readonly applied_at: Generated<string | null>
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly created_at: string
  /** More exactly than the six, where the user wants it. */
  readonly sub_status: Generated<string | null>
  /** A list of texts, as JSON; `location` is how the posting words them. */
  readonly locations: Generated<string>
  /** Months' pay in a year, where it is stated (`14薪`). */
  readonly salary_months: Generated<number | null>
  /** A list of texts, as JSON. */
  readonly tags: Generated<string>
  /** A list of `{name, role?, email?, phone?, url?, notes?}`, as JSON. */
  readonly contacts: Generated<string>
  readonly notes: Generated<string | null>
  readonly follow_up_at: Generated<string | null>
  /** The resume, and the tailored version of it, that was sent. */
  readonly resume_id: Generated<number | null>
  readonly tailored_id: Generated<number | null>
  /** The same for postings that are most likely one and the same opening. */
  readonly repost_key: Generated<string | null>
  /** When the posting was found to be gone. */
  readonly closed_at: Generated<string | null>
  /** When its page was last looked for by ourselves. */
  readonly enriched_at: Generated<string | null>
  /** Why it could not be read then; nothing if it could. */
  readonly enrich_error: Generated<string | null>
  /** When it first came so far, by its history. The database keeps these itself. */
  readonly reached_applied_at: Generated<string | null>
  readonly told_applied_at: Generated<string | null>
  readonly reached_interview_at: Generated<string | null>
  readonly reached_offer_at: Generated<string | null>
  readonly reached_rejected_at: Generated<string | null>
  readonly reached_skipped_at: Generated<string | null>
  /** The version of its index. An older one is updated. */
  readonly index_version: Generated<number>
  /** When its user or a page last changed it. */
  readonly updated_at: Generated<string | null>
}

/** How much a posting wants a skill. */
export const needs = ['required', 'nice', 'mentioned'] as const
export type Need = (typeof needs)[number]

export type ResumeRow = {
  readonly id: Generated<number>
  readonly user_id: string
  readonly name: string
  /** Markdown: it is what is edited, all else is made of it. */
  readonly content: string
  readonly language: Language
  readonly is_default: Generated<0 | 1>
  /** In how many applications, analyses and tailored versions it was used. */
  readonly use_count: Generated<number>
  readonly version: Generated<number>
  readonly source: 'paste' | 'pdf_upload' | 'docx_upload' | 'json_resume' | 'linkedin'
  readonly original_filename: string | null
  readonly parse_status: 'parsing' | 'success' | 'partial' | 'failed'
  /** A list of sentences, as JSON. */
  readonly parse_errors: Generated<string>
  /** JSON Resume (https://jsonresume.org/schema), as JSON. */
  readonly data: Generated<string>
  readonly created_at: string
  readonly updated_at: string
}

/** A resume rewritten for one posting. Versions are never changed: an edit and a restoring make a new one. */
export type TailoredRow = {
  readonly id: Generated<number>
  readonly user_id: string
  readonly job_id: number
  readonly resume_id: number
  /** The base resume's version that it was made of. */
  readonly resume_version: number
  readonly version: number
  readonly content: string
  /** As JSON. */
  readonly suggestions: Generated<string>
  /** What the truth check found, as JSON. */
  readonly truth: Generated<string>
  readonly origin: 'model' | 'edit' | 'restore'
  readonly model: string | null
  readonly is_latest: Generated<0 | 1>
  readonly created_at: string
  /** The tool's call that made it, so that the same call makes no second one. */
  readonly call_key: Generated<string | null>
  /** What differs from what it was made of, as JSON. */
  readonly change: Generated<string>
}

/** Where a user's new postings come from: a board of a company, or a mailbox. */
export type SourceRow = {
  readonly id: Generated<number>
  readonly user_id: string
  readonly kind: string
  readonly name: string
  /** As JSON; never holds the secret. */
  readonly settings: string
  /** A mailbox's password. No route gives it back. */
  readonly secret: string | null
  /** A cron line, or nothing: then it is only synced when asked. */
  readonly schedule: string | null
  readonly enabled: Generated<0 | 1>
  /** How far it has been read, as JSON. */
  readonly state: Generated<string>
  readonly last_synced_at: string | null
  readonly last_error: string | null
  readonly created_at: string
  /** What names the same board or mailbox. */
  readonly identity: string
  /** Whether it stands in config.yaml. */
  readonly configured: Generated<0 | 1>
  /** When it is to be synced next. */
  readonly due_at: string | null
  /** How often it has failed since it last went well. */
  readonly failures: Generated<number>
  /** The end of the lock of a sync. */
  readonly claimed_until: Generated<string | null>
}

export type Tables = {
  readonly jobs: JobRow
  readonly resumes: ResumeRow
  readonly resume_versions: {
    readonly id: Generated<number>
    readonly resume_id: number
    readonly version: number
    readonly name: string
    readonly content: string
    readonly created_at: string
  }
  readonly tailored_resumes: TailoredRow
  /** Files that a client has made of a tailored version. */
  readonly tailored_files: {
    readonly tailored_id: number
    readonly filename: string
    readonly type: string
    readonly bytes: Uint8Array
    readonly created_at: string
  }
  readonly job_analysis: {
    readonly id: Generated<number>
    readonly user_id: string
    readonly job_id: number
    readonly resume_id: number
    readonly model: string
    readonly prompt_hash: string
    readonly score: number
    /** As JSON. */
    readonly result: string
    readonly created_at: string
  }
  /** When the user was last in contact with whom: mails, calls, interviews, nudges. */
  readonly job_touches: {
    readonly id: Generated<number>
    readonly job_id: number
    readonly at: string
    readonly kind: string
    readonly note: Generated<string>
  }
  /** The skills that a posting names. */
  readonly job_skills: { readonly job_id: number; readonly skill: string; readonly need: Need }
  readonly job_sources: SourceRow
  /** Which posting a source has named, by the source's own name for it; nothing if its user has deleted the posting. */
  readonly job_sightings: {
    readonly source_id: number
    readonly key: string
    readonly job_id: number | null
    readonly seen_at: string
    /** Of the mail that named it. */
    readonly subject: string | null
    readonly sender: string | null
  }
  readonly job_status_history: {
    readonly id: Generated<number>
    readonly job_id: number
    readonly old_status: Status | null
    readonly new_status: Status
    readonly changed_at: string
    /** When the next status came, and after how many days. The database keeps these itself. */
    readonly left_at: Generated<string | null>
    readonly stayed_days: Generated<number | null>
  }
  /** Only `postingWords` knows its columns: they are others on each kind of database. */
  readonly job_words: object
}
