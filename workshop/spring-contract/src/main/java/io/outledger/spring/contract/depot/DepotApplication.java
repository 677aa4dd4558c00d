// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;

/** The application. */
@SpringBootApplication
@EnableAsync
public class DepotApplication {

  /** Creates it. */
  public DepotApplication() {}
}
