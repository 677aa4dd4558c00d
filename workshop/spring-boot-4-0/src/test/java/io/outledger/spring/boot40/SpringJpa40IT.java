// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.SpringJpaContract;

/** The events of JPA entities on Spring Boot 4.0. */
class SpringJpa40IT extends SpringJpaContract {}
