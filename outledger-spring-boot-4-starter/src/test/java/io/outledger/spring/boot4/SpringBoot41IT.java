// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SpringBootContract;

/** The contract's application on Spring Boot 4.1. */
class SpringBoot41IT extends SpringBootContract {

  SpringBoot41IT() {
    super("4.1.");
  }
}
