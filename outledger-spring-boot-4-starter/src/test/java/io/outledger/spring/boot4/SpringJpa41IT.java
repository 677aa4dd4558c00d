// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SpringJpaContract;

/** The events of JPA entities on Spring Boot 4.1. */
class SpringJpa41IT extends SpringJpaContract {}
