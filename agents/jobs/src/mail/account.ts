/** A mailbox, and whose mails in it are read. */
export type Account = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise it is asked for once connected. */
  readonly secure: boolean
  readonly user: string
  readonly mailbox: string
  /** Addresses, or domains. None: mails that look like job alerts. */
  readonly from: readonly string[]
}
