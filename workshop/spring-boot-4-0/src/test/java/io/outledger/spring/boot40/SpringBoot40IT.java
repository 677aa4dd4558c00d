// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.SpringBootContract;

/** The contract's application on Spring Boot 4.0. */
class SpringBoot40IT extends SpringBootContract {

  SpringBoot40IT() {
    super("4.0.");
  }
}
