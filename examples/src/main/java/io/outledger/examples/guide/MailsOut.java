// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.mail.Mail;
import io.outledger.mail.MailAddress;
import io.outledger.mail.MailPublisher;
import io.outledger.mail.MailServer;
import org.jspecify.annotations.Nullable;

/** The programs of docs/mail.md. */
final class MailsOut {

  private final Outledger outledger;
  private final Customers customers;

  MailsOut(Outledger outledger, Customers customers) {
    this.outledger = outledger;
    this.customers = customers;
  }

  /** Where customers get their mails. */
  interface Customers {
    String addressOf(@Nullable String customer);
  }

  void send(String password) {
    MailServer server = MailServer.startTls("smtp.example.org", 587).login("shop", password);

    outledger
        .relay("mails")
        .to(
            MailPublisher.through(
                server,
                new MailAddress("orders@example.org", "The Shop"),
                message ->
                    Mail.to(customers.addressOf(message.key()))
                        .subject("Your order has been placed")
                        .text("Thank you. We will tell you when it is on its way.")))
        .start();
  }
}
