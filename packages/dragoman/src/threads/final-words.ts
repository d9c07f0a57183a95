/** In SQLite, an answer gets its words at its end, and not with each renewal of its row. PostgreSQL has no triggers. */
const WRITE = `INSERT INTO message_words (rowid, words)
    SELECT new.position, owned_words(new.content, user_id, new.position) FROM conversations
    WHERE id = new.conversation_id;`

export const SQLITE_FINAL_WORDS = [
  'DROP TRIGGER chat_messages_added',
  'DROP TRIGGER chat_messages_changed',
  `CREATE TRIGGER chat_messages_added AFTER INSERT ON chat_messages WHEN new.status IS NOT 'streaming' BEGIN
    ${WRITE}
  END`,
  `CREATE TRIGGER chat_messages_changed AFTER UPDATE OF content, status ON chat_messages
   WHEN new.status IS NOT 'streaming' AND (new.content IS NOT old.content OR old.status IS 'streaming') BEGIN
    DELETE FROM message_words WHERE rowid = old.position;
    ${WRITE}
  END`,
]
