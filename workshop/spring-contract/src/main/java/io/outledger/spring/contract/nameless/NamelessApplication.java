// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.nameless;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.modulith.events.Externalized;

/** The application, with its events. */
@SpringBootApplication
public class NamelessApplication {

  /** Creates it. */
  public NamelessApplication() {}

  /** One of two that go to the same place. */
  @Externalized("letters::#{id()}")
  public record LetterSent(String id) {}

  /** The other. */
  @Externalized("letters::#{id()}")
  public record LetterLost(String id) {}

  /** Goes where Modulith thinks: to a topic with the class's name. */
  @Externalized
  public record LetterWritten(String id) {}
}
