// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.payments;

import org.springframework.data.repository.ListCrudRepository;

interface Payments extends ListCrudRepository<Payment, String> {}
