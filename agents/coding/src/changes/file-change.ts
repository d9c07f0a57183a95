/** What became of a file since the thread first changed it. */
export type FileChange = {
  /** Relative to the thread's folder, or absolute in another one. */
  readonly path: string
  readonly state: 'created' | 'edited' | 'deleted' | 'unreadable'
  /** Lines; 0 for a file that cannot be compared. */
  readonly added: number
  readonly removed: number
  /** Whether something else has changed it as well, such as a command or a person. */
  readonly changedByOthers: boolean
  /** Why it is unreadable. */
  readonly problem?: string
  readonly changedAt: string
}
