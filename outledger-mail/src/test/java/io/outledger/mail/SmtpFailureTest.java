// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmtpFailureTest {

  @ParameterizedTest
  @CsvSource({
    "421, 421 shutting down, MAIL, AWAY",
    "421, 421 shutting down, RECIPIENT, AWAY",
    "454, 454 4.7.0 try to log in later, SENDER, AWAY",
    "452, 452 no room, MAIL, AWAY",
    "452, 452 4.3.1 no room, SENDER, AWAY",
    "451, 451 4.3.0 queue is broken, MAIL, AWAY",
    "452, 452 4.2.2 mailbox full, RECIPIENT, SUSPECT",
    "450, 450 4.2.0 greylisted, RECIPIENT, SUSPECT",
    "451, 451 4.3.0 look-up failed, RECIPIENT, SUSPECT",
    "451, 451 local error, MAIL, SUSPECT",
    "530, 530 5.7.0 log in first, SENDER, AWAY",
    "535, 535 5.7.8 bad credentials, SENDER, AWAY",
    "521, 521 takes no mail, SENDER, AWAY",
    "503, 503 bad sequence, MAIL, SUSPECT",
    "550, 550 sender is not yours, SENDER, SUSPECT",
    "554, 554 5.7.1 relaying denied, RECIPIENT, SUSPECT",
    "550, 550 5.1.1 no such user, RECIPIENT, REFUSED",
    "552, 552 5.3.4 mail too large, MAIL, REFUSED",
    "554, 554 looks like spam, MAIL, REFUSED"
  })
  void answerHasAMeaning(
      int code, String text, SmtpFailure.About about, SmtpFailure.Meaning meaning) {
    assertThat(new SmtpFailure(code, text, about).meaning()).isEqualTo(meaning);
  }

  @Test
  void recipientThatIsRefusedForGoodCountsBeforeOneThatIsBusy() throws AddressException {
    MessagingException busy = recipient(450);
    busy.setNextException(recipient(550));
    SmtpFailure found =
        SmtpFailure.of(new SendFailedException("Invalid Addresses", busy, null, null, null));
    assertThat(found).isNotNull();
    assertThat(found.code()).isEqualTo(550);
  }

  @Test
  void failureOfTheLineIsNoAnswer() throws AddressException {
    assertThat(SmtpFailure.of(new MessagingException("reading", new IOException()))).isNull();
    assertThat(SmtpFailure.of(recipient(-1))).isNull();
  }

  private static MessagingException recipient(int code) throws AddressException {
    return new SMTPAddressFailedException(
        new InternetAddress("ada@example.org"), "RCPT", code, code + " no");
  }
}
