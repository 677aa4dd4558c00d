// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;

/** The application. */
@SpringBootApplication
@EnableAsync
public class ParcelApplication {

  /** Creates it. */
  public ParcelApplication() {}
}
