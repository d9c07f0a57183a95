import { simpleParser } from 'mailparser'

import { answerAside } from '@dragoman/agent-kit/isolate/aside'
import { oneLine } from '@dragoman/agent-kit/words/one-line'
import { postingsIn, type MailPosting } from './alerts.ts'
import { linesOfHtml, linesOfText } from './lines.ts'

/** The thread on which mails are read: anybody may have written them. */

export type MailReading = {
  readonly subject: string
  readonly sender: string
  readonly postings: readonly MailPosting[]
}

const MAX_LINE_LENGTH = 300

answerAside<Uint8Array, MailReading>(async (source) => {
  const mail = await simpleParser(Buffer.from(source), {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
    skipHtmlToText: true,
  })
  const inHtml = typeof mail.html === 'string' ? postingsIn(linesOfHtml(mail.html)) : []
  return {
    subject: oneLine(mail.subject ?? '', MAX_LINE_LENGTH),
    sender: oneLine(mail.from?.text ?? '', MAX_LINE_LENGTH),
    postings: inHtml.length > 0 ? inHtml : postingsIn(linesOfText(mail.text ?? '')),
  }
})
