import { simpleParser } from 'mailparser'

import { serveWorker } from 'dragoman/isolate'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { parseAlertPostings, type MailPosting } from './parse-alert-postings.ts'
import { linesOfHtml, linesOfText } from './mail-lines.ts'

/** Parses mails in a thread, because strangers wrote them. */

export type MailReading = {
  readonly subject: string
  readonly sender: string
  readonly postings: readonly MailPosting[]
}

const MAX_LINE_LENGTH = 300

serveWorker<Uint8Array, MailReading>(async (source) => {
  const mail = await simpleParser(Buffer.from(source), {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
    skipHtmlToText: true,
  })
  const inHtml = typeof mail.html === 'string' ? parseAlertPostings(linesOfHtml(mail.html)) : []
  return {
    subject: toSingleLine(mail.subject ?? '', MAX_LINE_LENGTH),
    sender: toSingleLine(mail.from?.text ?? '', MAX_LINE_LENGTH),
    postings: inHtml.length > 0 ? inHtml : parseAlertPostings(linesOfText(mail.text ?? '')),
  }
})
