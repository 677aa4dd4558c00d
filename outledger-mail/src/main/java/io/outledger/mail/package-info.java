// SPDX-License-Identifier: Apache-2.0

/**
 * Mails: {@link io.outledger.mail.MailPublisher} sends one mail for each message, through an SMTP
 * server. A {@link io.outledger.mail.MailMapper} of the application says what is in it.
 */
@NullMarked
package io.outledger.mail;

import org.jspecify.annotations.NullMarked;
