import { createHash } from 'node:crypto';

/**
 * Lower-case hex SHA-256 of a string's UTF-8 bytes.
 * @param {string} text
 * @returns {string}
 */
export const sha256Hex = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
