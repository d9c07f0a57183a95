/** A mailbox, and the senders whose mails are read. */
export type Account = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly secure: boolean
  readonly user: string
  readonly mailbox: string
  /** Addresses or domains. Empty: all mails that look like job alerts. */
  readonly from: readonly string[]
}
